#!/usr/bin/python3
"""A server of notifications with buttons on the session bus. Prints "shown ID KEYS TITLE" for each notification, and presses
the button of each line "ID KEY" on standard input, at whose end it ends."""

import sys

from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = Gio.DBusNodeInfo.new_for_xml("""<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg direction="out" type="as"/></method>
<method name="Notify"><arg direction="in" type="s"/><arg direction="in" type="u"/><arg direction="in" type="s"/>
<arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="as"/>
<arg direction="in" type="a{sv}"/><arg direction="in" type="i"/><arg direction="out" type="u"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal></interface></node>""").interfaces[0]
shown = 0


def called(_connection, _sender, _path, _interface, method, parameters, invocation):
    global shown
    if method == "GetCapabilities":
        return invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
    shown += 1
    words = parameters.unpack()
    invocation.return_value(GLib.Variant("(u)", (shown,)))
    print("shown", shown, ",".join(words[5][::2]), words[3], flush=True)


def on_bus(connection, _name):
    connection.register_object(PATH, INTERFACE, called, None, None)

    def pressed(channel, _condition):
        line = channel.readline()
        if not line:
            sys.exit()
        number, key = line.split()
        connection.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (int(number), key)))
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, pressed)


Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, on_bus, lambda *_: print("ready", flush=True), None)
GLib.MainLoop().run()
