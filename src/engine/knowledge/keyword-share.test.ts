import { expect, it } from "vitest";
import { keywordShares } from "./keyword-share.ts";
import { fuseByReciprocalRank } from "./reciprocal-rank.ts";

it("gives all of the words 1, none 0, and rare words more", () => {
  const texts = ["Refunds take five days.", "Days are long.", "Nothing here."];
  const [all, some, none] = keywordShares("How many days does a refund take?", texts);
  expect(none).toBe(0);
  expect(all).toBeGreaterThan(some ?? 1);
  expect(keywordShares("refund days", texts)[0]).toBe(1);
  expect(keywordShares("the of", texts)).toEqual([0, 0, 0]);
  expect(keywordShares("", texts)).toEqual([0, 0, 0]);
});

it.each([
  ["返品", "未開封の商品は返品できます。", "店は八時に開きます。"],
  ["退货政策", "退货须在三十天内。", "早上八点开门。"],
  ["คืนได้", "สินค้าคืนได้ภายในสามสิบวัน", "ร้านเปิดแปดโมงเช้า"],
  ["반품", "상품을 반품할 수 있습니다.", "여덟시에 엽니다."],
  ["कीमतें", "कीमतें नीचे हैं", "दुकान खुलती है"],
  ["ВОЗВРАТ", "Возврат товара", "Магазин открыт"],
])("finds %s where letters have no blanks between them, and in any script", (query, having, other) => {
  const [found, missed] = keywordShares(query, [having, other]);
  expect(found).toBeGreaterThan(0.4);
  expect(missed).toBe(0);
});

it("puts what stands high in both orders first", () => {
  expect(
    fuseByReciprocalRank([
      ["a", "b", "c"],
      ["b", "d"],
    ]),
  ).toEqual(["b", "a", "d", "c"]);
  expect(fuseByReciprocalRank([])).toEqual([]);
});
