import type { ListWords } from "../en/lists.ts";

export const listWords: ListWords = {
  selected: "对所选项：",
  select: "选择",
  selectOne: (name) => `选择 ${name}`,
};
