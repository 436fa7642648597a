# Completion of paddock for fish: paddock completion fish | source

# The path of the typed program. The project's own only if a function or alias leads to it: completion must not start a
# folder's program that the user has not called.
function __paddock_program
    set -l name $argv[1]
    if string match -q '*/*' -- $name
        string replace -r '^~/' "$HOME/" -- $name
        return
    end
    command -s $name; and return
    functions -q $name; or return 1
    set -l folder $PWD
    while test -n "$folder"
        if test -x $folder/node_modules/.bin/openapi-paddock
            echo $folder/node_modules/.bin/openapi-paddock
            return
        end
        set folder (string replace -r '/[^/]*$' '' -- $folder)
    end
    return 1
end

function __paddock_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct | string unescape)
    set -l program (__paddock_program $before[1]); or return
    set -l lines ($program __complete -- $before[2..-1] "$current" 2>/dev/null)
    test (count $lines) -ge 1; or return
    if string match -q 'files:*' -- $lines[1]
        set -l prefix (string replace 'files:' '' -- $lines[1])
        set -l file (string sub -s (math (string length -- $prefix) + 1) -- "$current")
        for found in (__fish_complete_path "$file")
            printf '%s%s\n' $prefix $found
        end
    else
        printf '%s\n' $lines[2..-1]
    end
end

for name in paddock openapi-paddock
    complete -c $name -f -a '(__paddock_complete)'
end
