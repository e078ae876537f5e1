/** Where a parameter stands in a text: `{name}`, `{line:name}` or `{base64:name}`. */
export const placeOf = /\{(?:(line|base64):)?([A-Za-z0-9_-]+)\}/g;
