-- The active application and its title. Add this to ~/.config/xmobar/xmobarrc.
-- xmobar would interpret <fc=…> in a title as a formatting tag, so sed inserts a space after <.
Config { template = "%xphase%"
       , commands = [ Run CommandReader "xphase active --follow --empty ' ' --format '{application}: {title}' | sed -u 's/</< /g'" "xphase" ]
       }
