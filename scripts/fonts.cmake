# The faces that the program carries: cut at build time from fonts of the system. Any TrueType or OpenType file will do.
set(ATTN_FONT_BODY /usr/share/fonts/opentype/inter/Inter-Regular.otf CACHE FILEPATH "Face of the text")
set(ATTN_FONT_STRONG /usr/share/fonts/opentype/inter/Inter-SemiBold.otf CACHE FILEPATH "Face of headings")
set(ATTN_FONT_NUMBER /usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf CACHE FILEPATH "Face of numbers")
set(ATTN_FONT_FALLBACK /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf CACHE FILEPATH "Face for what the text's lacks")

# The system's own Python is the one that has the system's fontTools.
find_program(ATTN_FONT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
find_program(ATTN_FONT_PYTHON python3 NO_CMAKE_FIND_ROOT_PATH REQUIRED)

set(attn_fonts_source "${PROJECT_BINARY_DIR}/generated/ui/fonts.cpp")
add_custom_command(OUTPUT "${attn_fonts_source}" VERBATIM
  DEPENDS "${PROJECT_SOURCE_DIR}/scripts/subset-fonts.py" "${ATTN_FONT_BODY}" "${ATTN_FONT_STRONG}" "${ATTN_FONT_NUMBER}"
    "${ATTN_FONT_FALLBACK}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/generated/ui"
  COMMAND "${ATTN_FONT_PYTHON}" "${PROJECT_SOURCE_DIR}/scripts/subset-fonts.py" --body "${ATTN_FONT_BODY}"
    --strong "${ATTN_FONT_STRONG}" --number "${ATTN_FONT_NUMBER}" --fallback "${ATTN_FONT_FALLBACK}"
    --out "${attn_fonts_source}")
add_library(attn_fonts STATIC "${attn_fonts_source}")
target_link_libraries(attn_fonts PRIVATE attn_flags)
