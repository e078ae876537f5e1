import { z } from "zod/mini";

/**
 * zod/mini says "Invalid input" of everything until it is given a language. A module that shows the message of an issue
 * imports this one.
 */
z.config(z.locales.en());
