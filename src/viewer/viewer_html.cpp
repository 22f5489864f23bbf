// The viewer, web/dist/viewer.html, as the build found it: its bytes, or none.
#include "footfall/viewer/page.hpp"

#ifdef FOOTFALL_VIEWER
asm(R"(.section .rodata
.balign 16
footfall_viewer_begin:
.incbin ")" FOOTFALL_VIEWER R"("
footfall_viewer_end:
.byte 0
.previous
)");
extern "C" const char footfall_viewer_begin[], footfall_viewer_end[];
#endif

namespace footfall {

std::string_view viewer_html() {
#ifdef FOOTFALL_VIEWER
  return {footfall_viewer_begin,
          static_cast<std::size_t>(footfall_viewer_end - footfall_viewer_begin)};
#else
  return {};
#endif
}

std::string_view viewer_note() {
#ifdef FOOTFALL_VIEWER
  return {};
#else
  return "this program was built without the viewer, which needs Node 20 or newer: run "
         "scripts/web.sh, then build again";
#endif
}

}  // namespace footfall
