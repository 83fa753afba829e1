// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The parts of libstdc++'s containers that are compiled into its library: trees, lists and hash
// tables. Which nodes a balancing visits is not known; the node, its parent and the header are
// those that every user of the container reads.
#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {

struct TreeNode {
  uint64_t color;
  TreeNode *parent, *left, *right;
};

struct ListNode {
  ListNode *next, *previous;
};

template <class Node>
void read(const Node* node, uint64_t pc) {
  read_range(node, sizeof *node, pc);
}
template <class Node>
void write(const Node* node, uint64_t pc) {
  write_range(node, sizeof *node, pc);
}

typedef void (*Insert)(bool, TreeNode*, TreeNode*, TreeNode*);
typedef TreeNode* (*Erase)(TreeNode*, TreeNode*);
typedef TreeNode* (*Step)(TreeNode*);

TreeNode* step(TreeNode* from, Step real, uint64_t pc) {
  read(from, pc);
  TreeNode* to = real(from);
  read(to, pc);
  return to;
}

}  // namespace

#define GORDIAN_TRACE_INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define GORDIAN_TRACE_ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
#define GORDIAN_TRACE_TEXT_OF(name) #name
#define GORDIAN_TRACE_TEXT(name) GORDIAN_TRACE_TEXT_OF(name)

GORDIAN_TRACE_REPLACES void GORDIAN_TRACE_INSERT(bool left, TreeNode* node, TreeNode* parent,
                                                 TreeNode* header) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  read(parent, pc);
  read(header, pc);
  write(node, pc);
  write(parent, pc);
  write(header, pc);
  GORDIAN_TRACE_NEXT_AS(Insert, GORDIAN_TRACE_TEXT(GORDIAN_TRACE_INSERT))
  (left, node, parent, header);
}
GORDIAN_TRACE_REPLACES TreeNode* GORDIAN_TRACE_ERASE(TreeNode* node, TreeNode* header) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  read(node, pc);
  write(header, pc);
  TreeNode* const around[] = {node->parent, node->left, node->right};
  for (TreeNode* near : around) {
    if (near) write(near, pc);
  }
  return GORDIAN_TRACE_NEXT_AS(Erase, GORDIAN_TRACE_TEXT(GORDIAN_TRACE_ERASE))(node, header);
}

#define GORDIAN_TRACE_STEP(name)                                                 \
  GORDIAN_TRACE_REPLACES TreeNode* name(TreeNode* from) {                        \
    return step(from, GORDIAN_TRACE_NEXT_AS(Step, #name), GORDIAN_TRACE_CALLER); \
  }
GORDIAN_TRACE_STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)
GORDIAN_TRACE_STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)
GORDIAN_TRACE_STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)
GORDIAN_TRACE_STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)

/// std::list: the node goes in before `place`.
GORDIAN_TRACE_REPLACES void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* node,
                                                                         ListNode* place) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  typedef void (*Hook)(ListNode*, ListNode*);
  read(place, pc);
  write(node, pc);
  write_range(&place->previous, 8, pc);
  write_range(&place->previous->next, 8, pc);
  GORDIAN_TRACE_NEXT_AS(Hook, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_")(node, place);
}
GORDIAN_TRACE_REPLACES void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* node) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  typedef void (*Unhook)(ListNode*);
  read(node, pc);
  write_range(&node->next->previous, 8, pc);
  write_range(&node->previous->next, 8, pc);
  GORDIAN_TRACE_NEXT_AS(Unhook, "_ZNSt8__detail15_List_node_base9_M_unhookEv")(node);
}
/// The nodes from `first` to before `last` go in before `place`.
GORDIAN_TRACE_REPLACES void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* place,
                                                                                 ListNode* first,
                                                                                 ListNode* last) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  typedef void (*Transfer)(ListNode*, ListNode*, ListNode*);
  ListNode* const ends[] = {place, first, last};
  for (ListNode* node : ends) {
    read(node, pc);
    write_range(&node->previous, 8, pc);
    write_range(&node->previous->next, 8, pc);
  }
  GORDIAN_TRACE_NEXT_AS(Transfer, "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_")
  (place, first, last);
}
GORDIAN_TRACE_REPLACES void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* header) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  typedef void (*Reverse)(ListNode*);
  ListNode* node = header;
  do {
    read(node, pc);
    write(node, pc);
    node = node->next;
  } while (node != header);
  GORDIAN_TRACE_NEXT_AS(Reverse, "_ZNSt8__detail15_List_node_base10_M_reverseEv")(header);
}
GORDIAN_TRACE_REPLACES void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode* a, ListNode* b) {
  const uint64_t pc = GORDIAN_TRACE_CALLER;
  typedef void (*Swap)(ListNode*, ListNode*);
  ListNode* const headers[] = {a, b};
  for (ListNode* node : headers) {
    read(node, pc);
    write(node, pc);
    write_range(&node->next->previous, 8, pc);
    write_range(&node->previous->next, 8, pc);
  }
  GORDIAN_TRACE_NEXT_AS(Swap, "_ZNSt8__detail15_List_node_base4swapERS0_S1_")(a, b);
}

/// Hash tables: the load factor and the next size at which a table grows.
struct RehashPolicy {
  float max_load;
  size_t next_resize;
};
struct NeedRehash {
  bool needed;
  size_t buckets;
};
GORDIAN_TRACE_REPLACES NeedRehash _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    RehashPolicy* policy, size_t buckets, size_t elements, size_t added) {
  typedef NeedRehash (*Need)(RehashPolicy*, size_t, size_t, size_t);
  read(policy, GORDIAN_TRACE_CALLER);
  write_range(&policy->next_resize, 8, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT_AS(Need, "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm")(
      policy, buckets, elements, added);
}
GORDIAN_TRACE_REPLACES size_t
_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(RehashPolicy* policy, size_t buckets) {
  typedef size_t (*Next)(RehashPolicy*, size_t);
  read(policy, GORDIAN_TRACE_CALLER);
  write_range(&policy->next_resize, 8, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT_AS(Next, "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm")(
      policy, buckets);
}
GORDIAN_TRACE_REPLACES size_t _ZSt11_Hash_bytesPKvmm(const void* from, size_t size, size_t seed) {
  typedef size_t (*Hash)(const void*, size_t, size_t);
  read_range(from, size, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT_AS(Hash, "_ZSt11_Hash_bytesPKvmm")(from, size, seed);
}
