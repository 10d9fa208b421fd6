# under_wine.sh WINE PROGRAM: runs it in a Windows of its own, which goes with it.
WINEPREFIX=$(mktemp -d) WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
"$@"
code=$?
wineserver -k
wineserver -w
rm -rf "$WINEPREFIX"
exit $code
