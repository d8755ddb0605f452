#include "record/lanes.hpp"

#include <exception>
#include <thread>

namespace assay::record {

Status at_once(const std::vector<std::function<Status()>>& lanes) {
  if (lanes.size() == 1) return lanes.front()();
  std::vector<Status> results(lanes.size(), ok());
  std::vector<std::exception_ptr> thrown(lanes.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          results[i] = lanes[i]();
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
  for (const Status& status : results) {
    if (!status) return status;
  }
  return ok();
}

}  // namespace assay::record
