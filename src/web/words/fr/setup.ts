import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "Configuration",
  heading: "Configurer Postern",
  lead: "Créez le compte du premier administrateur. Cela n’est possible qu’une fois.",
  name: "Nom",
  email: "Adresse e-mail",
  password: "Mot de passe",
  submit: "Créer l’administrateur",
  doneTitle: "Prêt",
  done: "Postern est prêt",
  doneLead: "Le premier administrateur est créé. Ce lien n’est plus valable.",
  signIn: "Se connecter",
  waiting: {
    heading: "Postern n’est pas encore configuré",
    lead: "Il n’y a encore aucun compte ici.",
    where:
      "Au démarrage, le serveur a affiché un lien de configuration, dans son terminal ou dans son journal.",
    again: (time) =>
      `Le lien fonctionne une seule fois, pendant ${time}. Pour en obtenir un autre, redémarrez le serveur.`,
  },
  errors: {
    email: "Ce n’est pas une adresse e-mail.",
    email_taken: "Cette adresse e-mail est déjà utilisée.",
    password_short: "Ce mot de passe est trop court.",
    password_long: "Ce mot de passe est trop long.",
    password_common: "Ce mot de passe est trop courant et facile à deviner.",
  },
};
