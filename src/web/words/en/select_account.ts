export const selectAccountWords = {
  title: "Choose an account",
  lead: "Which one do you want to go on with?",
  another: "Use another account",
};

export type SelectAccountWords = typeof selectAccountWords;
