import { accountWords } from "./account.ts";
import { belongingsWords } from "./belongings.ts";
import { consentWords } from "./consent.ts";
import { errorWords } from "./error.ts";
import { formPostWords } from "./form_post.ts";
import { frameWords } from "./frame.ts";
import { impactWords } from "./impact.ts";
import { invitationWords } from "./invitation.ts";
import { loginWords } from "./login.ts";
import { logoutWords } from "./logout.ts";
import { lostFactorsWords } from "./lost_factors.ts";
import { lostPasskeyWords } from "./lost_passkey.ts";
import { noticeWords } from "./notices.ts";
import { openConsentWords } from "./open_consent.ts";
import { ownAccountWords } from "./own_account.ts";
import { ownFactorsWords } from "./own_factors.ts";
import { passkeyWords } from "./passkeys.ts";
import { passwordWords } from "./password.ts";
import { providerWords } from "./providers.ts";
import { recoveryWords } from "./recovery.ts";
import { scopeWords } from "./scopes.ts";
import { secondFactorWords } from "./second_factor.ts";
import { securityWords } from "./security.ts";
import { selectAccountWords } from "./select_account.ts";
import { setupWords } from "./setup.ts";
import { signUpWords } from "./sign_up.ts";
import { sudoWords } from "./sudo.ts";

export const words = {
  frame: frameWords,
  login: loginWords,
  selectAccount: selectAccountWords,
  consent: consentWords,
  openConsent: openConsentWords,
  formPost: formPostWords,
  scopes: scopeWords,
  logout: logoutWords,
  passkeys: passkeyWords,
  password: passwordWords,
  notices: noticeWords,
  sudo: sudoWords,
  providers: providerWords,
  setup: setupWords,
  signUp: signUpWords,
  account: accountWords,
  ownAccount: ownAccountWords,
  belongings: belongingsWords,
  security: securityWords,
  secondFactor: secondFactorWords,
  ownFactors: ownFactorsWords,
  lostFactors: lostFactorsWords,
  lostPasskey: lostPasskeyWords,
  recovery: recoveryWords,
  invitation: invitationWords,
  error: errorWords,
  impact: impactWords,
};

export type PersonWords = typeof words;
