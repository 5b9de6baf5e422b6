/** What else can be done with a record, beside what can be done with every record. */
export const actionWords = {
  rotateSecret: "Rotate the secret",
  inviteMember: "Invite a member",
  changeField: (label: string) => `Change: ${label}`,
};

export type ActionWords = typeof actionWords;
