d1 | cat:2 dog
1 'd2|text dog:3 bird |other cat
| fish
