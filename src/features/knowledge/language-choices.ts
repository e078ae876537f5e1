import { isSearchLanguage, type SearchLanguage, searchLanguages } from "../../engine/knowledge/search-languages.ts";

const languages = Object.entries(searchLanguages).map(([value, label]) => ({ value, label }));

/** The value of an unset language. */
export const unset = "unset";

/** Every language, below what an unset one means. */
export const languageOptions = (meaning: string) => [{ value: unset, label: meaning }, ...languages];

/** The choice of a list; null for the unset one. */
export const chosenLanguage = (value: string): SearchLanguage | null => (isSearchLanguage(value) ? value : null);
