#!/usr/bin/python3
"""A panel on the session bus, as far as a program with an icon sees it: a StatusNotifierWatcher with a host.

bus_panel.py: prints a line for each icon that registers, and runs until it is killed."""

from gi.repository import Gio, GLib

NAME = "org.kde.StatusNotifierWatcher"
INTERFACE = Gio.DBusNodeInfo.new_for_xml("""<node><interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg direction="in" type="s"/></method>
<method name="RegisterStatusNotifierHost"><arg direction="in" type="s"/></method>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
<property name="ProtocolVersion" type="i" access="read"/>
<property name="RegisteredStatusNotifierItems" type="as" access="read"/>
<signal name="StatusNotifierItemRegistered"><arg type="s"/></signal>
<signal name="StatusNotifierHostRegistered"/></interface></node>""").interfaces[0]
VALUES = {"IsStatusNotifierHostRegistered": GLib.Variant("b", True), "ProtocolVersion": GLib.Variant("i", 0),
          "RegisteredStatusNotifierItems": GLib.Variant("as", [])}


def called(_connection, sender, _path, _interface, method, parameters, invocation):
    if method == "RegisterStatusNotifierItem":
        print("registered", parameters[0], sender, flush=True)
    invocation.return_value(None)


def on_bus(connection, _name):
    connection.register_object("/StatusNotifierWatcher", INTERFACE, called,
                               lambda _connection, _sender, _path, _interface, name: VALUES[name], None)


Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, on_bus, None, None)
GLib.MainLoop().run()
