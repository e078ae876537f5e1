const endings = /^(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4a|wav|ogg|webm|mov)$/i;
const types = /^(?:image\/(?!svg)|audio\/|video\/)/;

/** Whether a file is a picture, a recording or a video: by the ending of its name, else by its media type. */
export function isMedia(name: string, mediaType: string): boolean {
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1];
  return ending === undefined ? types.test(mediaType) : endings.test(ending);
}
