#include "sqlite/budget.hpp"

#include <sqlite3.h>

#include <new>
#include <stdexcept>

namespace assay::sqlite {
namespace {

thread_local Budget* current = nullptr;

sqlite3_mem_methods plain;  ///< SQLite's own allocator

bool charged(std::int64_t bytes) { return current == nullptr || current->charge(bytes); }

void* allocate(int bytes) {
  void* const memory = plain.xMalloc(bytes);
  if (memory == nullptr || charged(plain.xSize(memory))) return memory;
  plain.xFree(memory);
  return nullptr;
}

void release(void* memory) {
  if (memory != nullptr) charged(-std::int64_t{plain.xSize(memory)});
  plain.xFree(memory);
}

void* resize(void* memory, int bytes) {
  const std::int64_t before = plain.xSize(memory);
  if (!charged(bytes - before)) return nullptr;
  void* const moved = plain.xRealloc(memory, bytes);
  charged(moved == nullptr ? before - bytes : plain.xSize(moved) - std::int64_t{bytes});
  return moved;
}

}  // namespace

void charge_allocations() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK) return;
  sqlite3_mem_methods counted = plain;
  counted.xMalloc = &allocate;
  counted.xFree = &release;
  counted.xRealloc = &resize;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}

void Budget::start(const Limits& limits) {
  limits_ = limits;
  end_ = std::chrono::steady_clock::now() + limits.time;
  most_ = limits.memory > 0 ? held_ + limits.memory : 0;
  reason_.reset();
}

bool Budget::is_over() {
  if (limits_.stop != nullptr && *limits_.stop) {
    reason_ = "interrupted";
  } else if (limits_.time.count() > 0 && std::chrono::steady_clock::now() > end_) {
    reason_ = "the statement took longer than its limit of " + std::to_string(limits_.time.count() / 1000) +
              " s; narrow it, or raise the limit";
  } else {
    return false;
  }
  return true;
}

bool Budget::charge(std::int64_t bytes) {
  if (bytes > 0 && most_ > 0 && held_ + bytes > most_) {
    reason_ = "the statement needs more memory than its limit of " + std::to_string(limits_.memory >> 20) +
              " MiB; narrow it, or raise the limit";
    return false;
  }
  held_ += bytes;
  return true;
}

Budget::Scope::Scope(Budget& budget) : before_(current) { current = &budget; }
Budget::Scope::~Scope() { current = before_; }

void Budget::check() {
  if (current != nullptr && current->is_over()) throw std::runtime_error(*current->reason());
}

}  // namespace assay::sqlite
