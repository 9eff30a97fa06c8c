# Usage: kill|keep program argument...
# Starts the program and kills it when standard input says so, or ends. With "keep" its end is not
# enough. Standard output belongs to the program: first its process id, then what it writes.
rule=$1
shift
sh -c 'exec 2>&1; echo $$; exec "$@"' sh "$@" </dev/null &
pid=$!
exec >&-
stop() {
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    exit
}
trap stop HUP INT TERM
read -r word
[ "$word" = kill ] || [ "$rule" = kill ] || exit
stop
