/** The run panel stands at the right: beside the canvas in a wide window, and wherever a panel below would leave it too low. */
export const dockAtRight = "(min-width: 1280px), (orientation: landscape)";

/** The settings of a node and the run panel fit beside half a window of canvas; otherwise they share one place. */
export const roomForBoth = "(min-width: 1700px)";
