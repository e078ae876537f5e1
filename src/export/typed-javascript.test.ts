import ts from "typescript";
import { expect, it } from "vitest";
import { typedJavaScript } from "./typed-javascript.ts";

it("gives variables and parameters the type any, and leaves the rest as it is", () => {
  const body = `const list = json.items.map(x => x.id);
let a, { b, c = 1 } = json;
for (const one of list) { a = one; }
for (let i = 0; i < 2; i++) list.push(i);
function add(left, right = 2, ...more) { return left + right + more.length; }
try { add(1) } catch (error) { return error.message }
const out = {}; out.sum = list.reduce((sum, one) => sum + one, 0);
const later = async x => await x, none = () => ({ a }), [first] = list;
return { out, b, c, first };`;
  const typed = typedJavaScript(body);
  expect(typed).toContain("map((x: any) => x.id)");
  expect(typed).toContain("let a: any, { b, c = 1 }: any = json;");
  expect(typed).toContain("for (const one of list)");
  expect(typed).toContain("function add(left: any, right: any = 2, ...more: any[])");
  expect(typed).toContain("async (x: any) => await x, none: any = () => ({ a }), [first]: any = list");
  const plain = (code: string) =>
    ts.transpile(code, { target: ts.ScriptTarget.ES2023 }).replace(/\s/g, "").replaceAll("(x)=>", "x=>");
  expect(plain(typed)).toBe(plain(body));
  expect(typedJavaScript("return (")).toBe("return (");
});
