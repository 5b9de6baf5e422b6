import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "Vos seconds facteurs ont été supprimés.",
  sent: (email) => html`Nous avons envoyé un code à ${email}.`,
  label: "Code reçu par e-mail",
  help: (time) => `Les chiffres du dernier e-mail. Ils sont valables ${time}.`,
  wrong: "Ce n’est pas le code du dernier e-mail.",
  expired: "Ce code a expiré. Nous en avons envoyé un nouveau.",
  tooMany: "Aucun code n’a été envoyé, car trop ont été demandés. Réessayez plus tard.",
  mail: {
    subject: (server) => `Votre code pour ${server}`,
    says: (server) =>
      `Quelqu’un se connecte à votre compte sur ${server}. Ses seconds facteurs ont été supprimés : ce code est donc demandé une fois.`,
    code: (code) => `Voici le code : ${code}`,
    caution:
      "Ne le donnez à personne et saisissez-le uniquement là où vous avez commencé à vous connecter. Si ce n’était pas vous, changez votre mot de passe.",
  },
  signedIn: {
    title: "Vous êtes connecté",
    lead: "Votre compte n’a plus de second facteur. Configurez-en un nouveau, afin que votre mot de passe seul ne suffise pas.",
    setUp: "Configurer un second facteur",
    later: "Continuer sans second facteur",
  },
};
