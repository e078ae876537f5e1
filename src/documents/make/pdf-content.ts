import type { PhrasingContent, RootContent, TableRow } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A piece of a document as pdfmake takes it (https://pdfmake.github.io/docs/0.3/document-definition-object/). */
export interface PdfPiece {
  text?: string | PdfPiece[];
  stack?: PdfPiece[];
  ul?: PdfPiece[];
  ol?: PdfPiece[];
  start?: number;
  table?: { headerRows: number; widths: string[]; body: PdfPiece[][] };
  layout?: string;
  style?: string;
  bold?: boolean;
  italics?: boolean;
  decoration?: "lineThrough" | "underline";
  link?: string;
  color?: string;
  margin?: [number, number, number, number];
  preserveLeadingSpaces?: boolean;
  canvas?: { type: "line"; x1: number; y1: number; x2: number; y2: number; lineWidth: number; lineColor: string }[];
}

/** Markdown as the content of a PDF. Pictures are shown by their text; HTML is shown as it is written. */
export function pdfContent(markdown: string): PdfPiece[] {
  return blocks(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children);
}

const blocks = (nodes: readonly RootContent[]) => nodes.flatMap(block);

function block(node: RootContent): PdfPiece[] {
  switch (node.type) {
    case "heading":
      return [{ text: inline(node.children), style: `heading${node.depth}` }];
    case "paragraph":
      return [{ text: inline(node.children), style: "paragraph" }];
    case "blockquote":
      return [{ stack: blocks(node.children), margin: [12, 0, 0, 0], color: "#555555" }];
    case "list": {
      const items = node.children.map((item): PdfPiece => ({
        stack: [
          ...(item.checked === null || item.checked === undefined ? [] : [{ text: item.checked ? "[x]" : "[ ]" }]),
          ...blocks(item.children),
        ],
      }));
      const margin: PdfPiece["margin"] = [0, 0, 0, 4];
      return [node.ordered ? { ol: items, start: node.start ?? 1, margin } : { ul: items, margin }];
    }
    case "code":
      return [{ text: node.value, style: "code", preserveLeadingSpaces: true }];
    case "html":
      return [{ text: node.value, style: "paragraph" }];
    case "thematicBreak":
      return [{ canvas: [{ type: "line", x1: 0, y1: 4, x2: 515, y2: 4, lineWidth: 0.5, lineColor: "#bbbbbb" }] }];
    case "table": {
      const width = Math.max(...node.children.map((row) => row.children.length));
      const body = node.children.map((row, index) => tableRow(row, width, index === 0));
      const table = { headerRows: 1, widths: Array.from({ length: width }, () => "auto"), body };
      return [{ table, layout: "lightHorizontalLines", margin: [0, 2, 0, 8] }];
    }
    case "footnoteDefinition":
      return [{ text: [{ text: `[${node.identifier}] ` }], stack: blocks(node.children) }];
    case "listItem":
      return blocks(node.children);
    case "definition":
    case "tableCell":
    case "tableRow":
    case "yaml":
      return [];
    default:
      return [{ text: inline([node]), style: "paragraph" }];
  }
}

function tableRow(row: TableRow, width: number, isHeader: boolean): PdfPiece[] {
  return Array.from({ length: width }, (_, index) => {
    const cell = row.children[index];
    return { text: cell ? inline(cell.children) : "", ...(isHeader ? { bold: true } : {}) };
  });
}

function inline(nodes: readonly PhrasingContent[]): PdfPiece[] {
  return nodes.flatMap((node): PdfPiece[] => {
    switch (node.type) {
      case "text":
      case "html":
        return [{ text: node.value }];
      case "inlineCode":
        return [{ text: node.value, style: "inlineCode" }];
      case "strong":
        return inline(node.children).map((piece) => ({ ...piece, bold: true }));
      case "emphasis":
        return inline(node.children).map((piece) => ({ ...piece, italics: true }));
      case "delete":
        return inline(node.children).map((piece) => ({ ...piece, decoration: "lineThrough" }));
      case "link":
        return inline(node.children).map((piece) => ({ ...piece, ...linkTo(node.url) }));
      case "linkReference":
        return inline(node.children);
      case "image":
      case "imageReference":
        return [{ text: node.alt ?? "" }];
      case "break":
        return [{ text: "\n" }];
      case "footnoteReference":
        return [{ text: `[${node.identifier}]` }];
      default:
        return node satisfies never;
    }
  });
}

function linkTo(url: string): PdfPiece {
  return /^(https?|mailto):/i.test(url) ? { link: url, color: "#1a56db", decoration: "underline" } : {};
}
