/** A part of a page, as shares of its width and height from the upper left corner. */
export interface PageBox {
  left: number;
  top: number;
  width: number;
  height: number;
}
