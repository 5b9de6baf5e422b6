import type { Fault } from "./fault.ts";

/** What forms of the console say themselves, before the rules of the records are asked. */
export const formFaults: readonly Fault[] = [
  { en: "must not be repeated", es: "no puede repetirse", zh: "不能重复" },
  { en: "must be JSON", es: "debe ser JSON", zh: "必须是 JSON" },
  { en: "is empty now", es: "ahora está vacío", zh: "现在为空" },
  { en: "is {} now", es: "ahora es {}", zh: "现在是 {}" },
  {
    en: "there is no user of this e-mail or id",
    es: "no hay ningún usuario con este correo o id",
    zh: "没有此邮箱或 id 的用户",
  },
  {
    en: "there is no organization of this slug or id",
    es: "no hay ninguna organización con este nombre corto o id",
    zh: "没有此短名或 id 的组织",
  },
  {
    en: "there is no app of this client_id or id",
    es: "no hay ninguna aplicación con este client_id o id",
    zh: "没有此 client_id 或 id 的应用",
  },
  {
    en: "there is no service account of this e-mail or id",
    es: "no hay ninguna cuenta de servicio con este correo o id",
    zh: "没有此邮箱或 id 的服务账号",
  },
  {
    en: "the record has changed since it was read; read it again and decide anew",
    es: "el registro ha cambiado desde que se leyó; míralo de nuevo y decide otra vez",
    zh: "该记录在读取后已被更改；请重新查看后再决定",
  },
  {
    en: "this form was sent before and is still being worked on; look at the list in a moment",
    es: "este formulario ya se envió y aún se está procesando; mira la lista dentro de un momento",
    zh: "此表单已提交，仍在处理中；请稍后查看列表",
  },
  {
    en: "the cursor is none of this list: leave it out to begin anew",
    es: "el cursor no es de esta lista: empieza de nuevo por la primera página",
    zh: "此游标不属于该列表：请从第一页重新开始",
  },
];
