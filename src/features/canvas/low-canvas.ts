/** Pixels; in a canvas that is not higher, what floats over it would cover what one came to see. */
const lowest = 260;

/** Whether React Flow's canvas has little height, such as beside a panel at 200 % zoom; not before it is measured. */
export const lowCanvas = ({ height }: { height: number }): boolean => height > 0 && height <= lowest;
