# Headers that most sources read, compiled once: half of what compiling takes. Sources still name
# what they use; `make lint` reads them without this.
set(GORDIAN_COMMON_HEADERS
    <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory>
    <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <nlohmann/json.hpp>)
