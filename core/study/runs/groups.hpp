// Groups of processes: by a property of each, or by what links any two.
#pragma once

#include <cstddef>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

using Group = std::vector<std::size_t>;
using Groups = std::vector<Group>;

/// Those of equal key, by key.
template <class Key>
Groups grouped(const Group& all, const Key& key) {
  std::map<std::decay_t<decltype(key(std::size_t{}))>, Group> by;
  for (const std::size_t one : all) by[key(one)].push_back(one);
  Groups out;
  for (auto& [value, group] : by) out.push_back(std::move(group));
  return out;
}

/// Those that are linked, directly or through others, by first member.
template <class Linked>
Groups linked_groups(const Group& all, const Linked& linked) {
  std::vector<std::size_t> root(all.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (find(i) != find(j) && linked(all[i], all[j])) root[find(i)] = find(j);
    }
  }
  std::map<std::size_t, Group> by;
  for (std::size_t i = 0; i < all.size(); ++i) by[find(i)].push_back(all[i]);
  Groups out;
  for (auto& [first, group] : by) out.push_back(std::move(group));
  return out;
}

}  // namespace assay
