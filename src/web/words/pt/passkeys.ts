import { html } from "../../html/html.ts";
import type { PasskeyWords } from "../en/passkeys.ts";

export const passkeyWords: PasskeyWords = {
  signIn: "Fazer login com uma chave de acesso",
  use: "Usar uma chave de acesso",
  anotherWay: "Outro método",
  cancelled: "Nenhuma chave de acesso foi usada. Tente novamente ou escolha outro método.",
  known: "Este dispositivo já tem uma chave de acesso para a sua conta.",
  unable: "As chaves de acesso exigem um navegador atual com JavaScript ativado.",
  failures: {
    refused: "Essa chave de acesso não foi aceita. Tente novamente ou escolha outro método.",
    unknown: "Este servidor não conhece essa chave de acesso. Talvez ela tenha sido removida.",
    expired: "Isso demorou demais. Tente novamente.",
    second_factor_only:
      "Essa chave de acesso só confirma um login. Faça login primeiro com sua senha e depois use a chave.",
    counter:
      "Essa chave de acesso respondeu como se tivesse sido copiada, por isso não foi aceita. Escolha outro método e substitua a chave.",
    taken: "Essa chave de acesso já está registrada.",
    too_many: "Você atingiu o número máximo de chaves de acesso. Remova uma primeiro.",
    last_way: "Este é seu único modo de fazer login, por isso não pode ser removido.",
  },
  tooYoung: (time) =>
    `Uma chave de acesso criada há menos de ${time} não é suficiente aqui. Use uma mais antiga ou tente novamente mais tarde.`,
  card: {
    title: "Chaves de acesso",
    lead: "Com uma chave de acesso, você faz login com sua impressão digital, seu rosto ou o PIN do dispositivo. Ninguém pode adivinhá-la nem enganar você para obtê-la.",
    none: "Você ainda não tem nenhuma chave de acesso.",
    name: "Nome",
    synced: "Sincronizada",
    deviceOnly: "Somente neste dispositivo",
    securityKey: "Somente segundo fator",
    added: "Adicionada",
    lastUsed: "Último uso",
    never: "Nunca",
    rename: "Renomear",
    renameOf: (name) => html`Renomear: ${name}`,
    remove: "Remover",
    removeOf: (name) => html`Remover: ${name}`,
    add: "Adicionar uma chave de acesso",
    addKey: "Adicionar uma chave de segurança",
    single:
      "Uma única chave de acesso em um único dispositivo é seu único modo de fazer login. Se perder o dispositivo, você perde a conta: adicione uma segunda chave de acesso ou defina uma senha.",
    upgrades:
      "Seu navegador pode adicionar uma chave de acesso por conta própria quando você faz login com senha e código. Isso vale somente para este navegador.",
    allowUpgrades: "Permitir que este navegador adicione chaves de acesso",
    forbidUpgrades: "Não adicionar mais chaves de acesso neste navegador",
  },
  enrol: {
    title: "Adicionar uma chave de acesso",
    lead: "Seu navegador vai pedir uma confirmação com sua impressão digital, seu rosto ou o PIN do dispositivo.",
    keyTitle: "Adicionar uma chave de segurança",
    keyLead: "Uma chave de segurança confirma um login com senha. Tenha-a em mãos.",
    name: "Nome",
    nameHelp: "Ajuda você a reconhecê-la na sua lista.",
    suggested: "Minha chave de acesso",
    suggestedKey: "Minha chave de segurança",
    submit: "Criar a chave de acesso",
    submitKey: "Registrar a chave de segurança",
  },
  renaming: {
    title: "Renomear a chave de acesso",
    submit: "Salvar",
  },
  removing: {
    title: (name) => `Remover ${name}?`,
    lead: "Você não poderá mais fazer login com ela. As sessões iniciadas com ela serão encerradas.",
    submit: "Remover a chave de acesso",
  },
  first: {
    lead: "Com uma chave de acesso, você faz login com sua impressão digital, seu rosto ou o PIN do dispositivo, sem senha.",
    submit: "Criar uma chave de acesso em vez disso",
  },
  upgrade: {
    title: "Um momento",
    lead: "Seu navegador pode adicionar uma chave de acesso para que você faça login mais rápido da próxima vez.",
    goOn: "Continuar",
  },
  offer: {
    title: "Faça login mais rápido da próxima vez",
    lead: "Com uma chave de acesso, você faz login com sua impressão digital, seu rosto ou o PIN do dispositivo, sem senha.",
    later: "Agora não",
  },
};
