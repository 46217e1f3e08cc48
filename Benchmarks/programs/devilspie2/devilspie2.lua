scripts_window_open = { "nothing.lua" }
scripts_window_focus = { "focus.lua" }
