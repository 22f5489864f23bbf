// An InputError whose message is put together from values.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "footfall/error.hpp"

namespace footfall {

// throw input_error("{} = {}, expected 0 or more", name, value);
template <class... Values>
InputError input_error(fmt::format_string<Values...> text, Values&&... values) {
  return InputError(fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace footfall
