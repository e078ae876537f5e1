const textTypes =
  /^(text\/|application\/(.*\+)?(json|xml|javascript|ecmascript|x-ndjson|jsonl|x-www-form-urlencoded|yaml|x-yaml|toml|graphql|sql|csv)\b|image\/svg\+xml)/i;

/** Whether what has this media type is text. */
export const isTextType = (type: string): boolean => textTypes.test(type);
