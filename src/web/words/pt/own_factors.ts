import { html } from "../../html/html.ts";
import type { OwnFactorsWords } from "../en/own_factors.ts";

export const ownFactorsWords: OwnFactorsWords = {
  apps: {
    title: "Aplicativos autenticadores",
    lead: "Um aplicativo no seu celular mostra um código, solicitado depois da sua senha.",
    none: "Você ainda não tem nenhum aplicativo autenticador.",
    name: "Nome",
    added: "Adicionado",
    lastUsed: "Último uso",
    never: "Ainda não",
    rename: "Renomear",
    renameOf: (name) => html`Renomear: ${name}`,
    remove: "Remover",
    removeOf: (name) => html`Remover: ${name}`,
    add: "Adicionar um aplicativo autenticador",
  },
  enrol: {
    title: "Adicionar um aplicativo autenticador",
    lead: (time) =>
      `Qualquer aplicativo de códigos de uso único serve. Informe esta chave a ele em até ${time}.`,
    scan: "Escaneie a imagem",
    qr: "A chave como QR code",
    type: "Ou digite a chave",
    open: "Abrir em um aplicativo deste dispositivo",
    name: "Nome do aplicativo ou do dispositivo",
    optionalName: "Nome do aplicativo ou do dispositivo (opcional)",
    nameHelp: "Diferencia seus aplicativos, por exemplo: meu celular.",
    suggested: "Aplicativo autenticador",
    tooMany: "Você atingiu o número máximo de aplicativos autenticadores. Remova um primeiro.",
    submit: "Adicionar",
    cancel: "Cancelar",
  },
  mailbox: {
    title: "Confirme sua caixa de entrada",
    lead: (time) =>
      `Você usa este dispositivo há menos de ${time}, por isso também é necessário um código por e-mail.`,
    sent: (email) => html`Um código está a caminho de ${email}.`,
    code: "Código do e-mail",
    submit: "Continuar",
    wrong: "Este não é o código do e-mail mais recente.",
    ended: "Este código expirou ou foi tentado vezes demais. Comece de novo.",
    too_many: "Foram enviados códigos demais. Tente novamente mais tarde.",
    back: "Voltar",
    noMailTitle: "Ainda não neste dispositivo",
    noMail: (time) =>
      `Este servidor não envia e-mails, por isso sua primeira chave de acesso ou seu primeiro aplicativo autenticador exige um dispositivo que você use há pelo menos ${time}. Isso protege você se alguém descobrir sua senha.`,
    noMailFrom: (when) => html`Neste dispositivo, isso será possível a partir de: ${when}.`,
    noMailUnknown: "Para fazer isso neste dispositivo, primeiro saia e entre novamente.",
    mailSubject: (server) => `Seu código para ${server}`,
    mailAsked: {
      factor: (server) =>
        `Alguém conectado à sua conta em ${server} quer adicionar uma chave de acesso ou um aplicativo autenticador. Se for você, digite este código:`,
      email: (server) =>
        `Alguém conectado à sua conta em ${server} quer alterar o endereço de e-mail dela. Se for você, digite este código:`,
    },
    mailIgnore: "Se não foi você, alguém sabe sua senha: altere-a e não passe este código a ninguém.",
  },
  renaming: { title: "Renomear o aplicativo autenticador", submit: "Renomear" },
  removing: {
    title: (name) => `Remover ${name}?`,
    lead: "Os códigos dele não servirão mais para fazer login. Seus outros fatores continuam como estão.",
    lastLead:
      "É seu último segundo fator: depois disso, somente o primeiro fator protege sua conta, e seus códigos de recuperação deixam de valer.",
    submit: "Remover",
  },
  codes: {
    title: "Códigos de recuperação",
    lead: "Cada um substitui, uma vez, um segundo fator perdido.",
    made: (day) => html`Criados em ${day}.`,
    none: "Você ainda não tem códigos de recuperação.",
    allUsed: "Você usou todos os seus códigos de recuperação.",
    few: "Restam poucos. Crie novos a tempo.",
    alone:
      "Você tem apenas um segundo fator. Sem ele, só um administrador pode ajudar: crie códigos de recuperação ou adicione outro fator.",
    make: "Criar novos códigos",
    makeFirst: "Criar códigos de recuperação",
    newTitle: "Seus códigos de recuperação",
    newLead: "Imprima-os ou guarde-os onde você guarda senhas. Eles são exibidos somente agora.",
    finishAdds: (name) => html`Conclua esta página para ativar os códigos e adicionar “${name}”.`,
    finishFirst: "Conclua esta página para ativar os códigos.",
    finishReplaces: "Conclua esta página para ativar os códigos. Eles então substituem os anteriores.",
    shownBefore: "Os códigos já foram exibidos uma vez. Se você não os guardou, crie outros.",
    stored: "Guardei estes códigos",
    finish: "Concluir",
    makeOthers: "Criar outros códigos",
  },
  waiting: {
    title: "Ainda não adicionado",
    lead: (name, when) =>
      html`“${name}” funcionará quando você tiver guardado seus códigos de recuperação. Conclua até: ${when}.`,
    discard: "Não adicionar",
  },
  undo: {
    title: "Não foi você?",
    lead: "Tudo o que foi criado com sua conta desde esse login deixa de funcionar. A sessão de todos os dispositivos é encerrada e você recebe por e-mail um link para uma nova senha.",
    submit: "Não fui eu",
    doneTitle: "Sua conta está protegida",
    doneLead:
      "A sessão de todos os dispositivos foi encerrada, e o que foi criado desde esse login deixou de funcionar.",
    done: "Alguém pode saber sua senha: defina outra com o link na sua caixa de entrada.",
    moved:
      "Sua conta já tem outro endereço. Se não foi você que o alterou, use o link da mensagem sobre essa alteração.",
    reset: "Solicitar outro link",
    deadTitle: "Este link já foi usado ou expirou",
    dead: (time) => `Um link desses funciona uma vez, por ${time}.`,
    secure: "Proteja sua conta",
  },
};
