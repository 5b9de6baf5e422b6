import type { ListWords } from "../en/lists.ts";

export const listWords: ListWords = {
  selected: "Con lo seleccionado:",
  select: "Seleccionar",
  selectOne: (name) => `Seleccionar ${name}`,
};
