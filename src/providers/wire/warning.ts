/** Something asked for that the vendor or model cannot do, and what happens instead. */
export interface Warning {
  type: "warning";
  message: string;
  hint: string;
}

export function warning(message: string, hint: string): Warning {
  return { type: "warning", message, hint };
}

/** Keeps each warning from being said more than once by one model. */
export function onceOnly(): (warnings: Warning[]) => Warning[] {
  const said = new Set<string>();
  return (warnings) =>
    warnings.filter(({ message }) => {
      if (said.has(message)) return false;
      said.add(message);
      return true;
    });
}
