import type { SudoWords } from "../en/sudo.ts";

export const sudoWords: SudoWords = {
  title: "Confirma que eres tú",
  lead: "Vas a cambiar algo que protege tu cuenta o la de otras personas. Todavía no se ha cambiado nada.",
  password: "Contraseña",
  wrongPassword: "Esta contraseña no es correcta.",
  throttled: "Se ha intentado muchas veces en poco tiempo.",
  changedMeanwhile: "Lo has confirmado en otra ventana en el mismo momento. Confírmalo aquí una vez más.",
  noWay:
    "Tu cuenta no tiene configurado nada con lo que puedas confirmarlo aquí. Un administrador del servidor puede ayudarte.",
  cancel: "Cancelar",
  submit: "Confirmar y continuar",
};
