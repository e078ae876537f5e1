/*
 * Stands in the build for d3-color. React Flow moves its view with d3's transitions and animates nothing else, so nothing
 * is ever blended from one colour to another: every text reads as none.
 */

/** Says of any text that it is no colour; d3 then takes it for what it is. */
export function color(): null {
  return null;
}

export { color as cubehelix, color as hcl, color as hsl, color as lab, color as rgb };
