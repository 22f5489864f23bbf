// The user's browser.
#pragma once

#include <string>

namespace footfall {

// Asks the desktop to show an address; says on stderr where there is none that could.
void open_browser(const std::string& address);

}  // namespace footfall
