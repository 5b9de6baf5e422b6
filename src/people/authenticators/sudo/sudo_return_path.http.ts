/** Where somebody goes on who went to a provider to prove who they are (SU-6). */
export const sudoReturnPath = "/account/confirm";
