/** Lists of the console: order, pages, filters, export, and one action for many. */
export const listWords = {
  selected: "With the selected:",
  select: "Select",
  selectOne: (name: string) => `Select ${name}`,
};

export type ListWords = typeof listWords;
