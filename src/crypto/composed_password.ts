/** The form in which passwords are compared: Unicode's NFC, in which a letter and its marks are one. */
export const composedPassword = (password: string): string => password.normalize("NFC");
