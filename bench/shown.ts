/** A measured value with its unit, in three digits. */
export function shown(value: number, unit: string): string {
  const digits = value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3);
  return `${digits} ${unit}`;
}
