export const selectAccountWords = {
  title: "Choose an account",
  lead: "Which account do you want to continue with?",
  another: "Use another account",
};

export type SelectAccountWords = typeof selectAccountWords;
