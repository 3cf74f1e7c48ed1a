// Which answer an address gives, and which body it takes, by the routes of wire.d.ts.
import type { Routes } from "./wire";

/** What answers when a request is refused. */
export interface Refusal {
  detail: string;
}

/** How an address is asked: with a body it is sent something, else it is read. */
export interface Asked {
  body?: object;
  method?: string;
  key?: string;
}

type WithoutQuery<Path> = Path extends `${infer Address}?${string}` ? Address : Path;
type MethodOf<How> = How extends { method: infer Method extends string } ? Method : How extends { body: object } ? "POST" : "GET";
type Fitting<Method, Path> = Routes extends infer Route
  ? Route extends [Method, infer Address, infer Answer, unknown] ? Path extends Address ? Answer : never : never
  : never;
type Exact<Method, Path> = Extract<Routes, [Method, Path, unknown, unknown]>;
type AnswerOfRoute<Method, Path> = [Exact<Method, Path>] extends [never] ? Fitting<Method, Path> : Exact<Method, Path>[2];

/** Addresses with an answer of their own in each program, or none that is typed. */
type Untyped = "/api/enter" | "/health";

/** Of an address that wire.d.ts lacks: an error where anything else is read of it, as never would not be. */
interface NoSuchAddress<Path> {
  no_such_address: Path;
}

/** What the answer holds. */
export type AnswerAt<Path, How> = WithoutQuery<Path> extends Untyped
  ? unknown
  : string extends Path
    ? unknown
    : [AnswerOfRoute<MethodOf<How>, WithoutQuery<Path>>] extends [never]
      ? NoSuchAddress<Path>
      : AnswerOfRoute<MethodOf<How>, WithoutQuery<Path>>;

/** An answer or a refusal; nobody answers with status 0. `wait_s`: seconds until it may be asked again; 0 where none are told. */
export type Answered<Answer> =
  | { ok: true; status: number; told: Answer; wait_s: number }
  | { ok: false; status: number; told: Refusal | null; wait_s: number };
