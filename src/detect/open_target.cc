// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/open_target.h"

#include <utility>

#include "runtime/runtime.h"

namespace gordian {
namespace {

/// Before anything is started: what the user asked for can never be had from this target.
Status check_flow_source(const DetectRequest& request, const RuntimeTraits& runtime) {
  const Refusal& refusal = runtime.no_traces;
  if (request.flow_source != FlowSource::trace || !refusal) return {};
  return usage_error(std::string(refusal.why), std::string(refusal.instead));
}

}  // namespace

Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop) {
  const Runtime& runtime = runtime_of(request.target);
  if (Status known = check_flow_source(request, runtime.traits()); !known) return known.error();
  SessionRequest wanted{request.target, request.isolation, request.also_disabled,
                        /*any_order=*/true, request.engine};
  wanted.engine.should_stop = std::move(should_stop);
  auto session = runtime.open(std::move(wanted));
  if (!session) return session.error();
  OpenTarget open;
  open.session = std::move(*session);
  DetectFacts& facts = open.facts;
  facts.target = open.session->target();
  facts.binary = open.session->identity();
  facts.suite = open.session->suite();
  facts.notices = open.session->notices();
  facts.private_fs = open.session->private_fs();
  facts.isolation = open.session->isolation();
  auto tests = choose_tests(request.target, facts.suite, request.filter);
  if (!tests) return tests.error();
  open.tests = std::move(*tests);
  return open;
}

}  // namespace gordian
