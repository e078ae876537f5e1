/** Languages in which scans and photos are read, and what Tesseract calls the data of each. */
export const scanLanguages = {
  english: { label: "English", data: "eng" },
  german: { label: "German", data: "deu" },
  french: { label: "French", data: "fra" },
  spanish: { label: "Spanish", data: "spa" },
  chinese: { label: "Chinese (simplified)", data: "chi_sim" },
} as const;

/** One of `scanLanguages`. */
export type ScanLanguage = keyof typeof scanLanguages;

/** Whether a text names one. */
export const isScanLanguage = (name: string): name is ScanLanguage => Object.hasOwn(scanLanguages, name);
