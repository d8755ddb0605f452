// Colours, shapes and dashes of series. The colours are those of Okabe and Ito (2008), distinguishable with any kind of
// colour blindness, with lighter variants for a dark background. Every series also has its own shape and dash.
#pragma once

#include <array>
#include <string_view>

namespace assay {

inline constexpr std::size_t kSeriesColours = 8;

inline constexpr std::array<std::string_view, kSeriesColours> kOnLight = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                                          "#E69F00", "#56B4E9", "#5B5B5B", "#B3A300"};
inline constexpr std::array<std::string_view, kSeriesColours> kOnDark = {"#4DA6E0", "#F0793A", "#2BBF93", "#E3A0C5",
                                                                         "#F2B134", "#9ED6F7", "#B8B8B8", "#F0E442"};

inline constexpr std::array<std::string_view, kSeriesColours> kDashes = {"",      "6,3",   "2,2",  "8,3,2,3",
                                                                         "4,1.5", "1,2.5", "10,4", "5,2,1,2,1,2"};

/// Index of a series' colour and dash; its shape advances by one each time the colours are used up.
constexpr std::size_t colour_of(std::size_t series) { return series % kSeriesColours; }
constexpr std::size_t shape_of_series(std::size_t series) {
  return (series + series / kSeriesColours) % kSeriesColours;
}

}  // namespace assay
