print(get_window_name())
io.stdout:flush()
