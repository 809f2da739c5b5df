#!/bin/sh
# snapshot.sh FOLDER STORE KEEP [LABEL]
# Packs FOLDER as STORE/LABEL.tar.gz (without LABEL: the date of today) and then
# keeps only the KEEP newest archives in STORE, going by their names.
folder=$1
store=$2
keep=$3
label=${4:-$(date +%F)}

mkdir -p "$store"
tar -czf "$store/$label.tar.gz" -C "$folder" .

count=0
for archive in $(ls "$store" | grep 'tar.gz$' | sort); do
    count=$((count + 1))
    if [ "$count" -gt "$keep" ]; then
        rm "$store/$archive"
    fi
done
