// How bytes stand in a page.
#pragma once

#include <string>
#include <string_view>

#include "footfall/viewer/page.hpp"

namespace footfall::viewer {

// Base64 of the deflated bytes.
std::string embed_bytes(const std::string& bytes);

// The HTML with JSON and data in their places, each of which it must have once. Throws InputError.
std::string fill_places(std::string_view html, const std::string& json, const std::string& data);

// A page without the viewer: its warnings, tables and texts.
std::string plain_page(const PageContent& content);

}  // namespace footfall::viewer
