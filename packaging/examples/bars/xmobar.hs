-- The active application and its title. To be put into ~/.config/xmobar/xmobarrc.
-- A title is somebody else's text: its <fc=…> would be an order to xmobar.
Config { template = "%xphase%"
       , commands = [ Run CommandReader "xphase active --follow --empty '' --format '{application}: {title}' | sed -u 's/</< /g'" "xphase" ]
       }
