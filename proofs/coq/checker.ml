(* The second checker: reads one question a line, answers with the functions extracted from the proofs.

   A question is numbers (12, -3/7), names, and lists in parentheses; it says which checkers to run and
   gives their arguments: (all (check_all_priors (((Cls 1/2 3 1 0 ()) ...)) 1/7 1/2)). All that this file adds
   to what is proved is reading. It answers true, false, or why it cannot read the question. *)

exception Unreadable of string

type part = Word of string | Parts of part list

let fail what = raise (Unreadable what)

(* from left to right, with the lists that are still open *)
let parse line =
  let size = String.length line in
  let rec words i opened current =
    if i >= size then
      match opened, current with [], [ found ] -> found | _ -> fail "not one question"
    else
      match line.[i] with
      | ' ' | '\n' | '\r' -> words (i + 1) opened current
      | '(' -> words (i + 1) (current :: opened) []
      | ')' -> (
          match opened with
          | [] -> fail "a parenthesis too many"
          | outer :: opened -> words (i + 1) opened (Parts (List.rev current) :: outer))
      | _ ->
          let rec stop j =
            if j < size && not (String.contains " \n\r()" line.[j]) then stop (j + 1) else j
          in
          let j = stop i in
          words j opened (Word (String.sub line i (j - i)) :: current)
  in
  words 0 [] []

(* numbers; a rational has a positive denominator *)
let whole = function
  | Word w -> ( try Z.of_string w with Invalid_argument _ -> fail ("not a number: " ^ w))
  | Parts _ -> fail "a list where a number should be"

let natural part =
  let n = whole part in
  if Z.sign n < 0 then fail "a negative count" else n

let place part =
  let n = natural part in
  if Z.fits_int n then Z.to_int n else fail "a place too large"

let rational part =
  match part with
  | Word w when String.contains w '/' ->
      let i = String.index w '/' in
      let top = whole (Word (String.sub w 0 i)) in
      let bottom = whole (Word (String.sub w (i + 1) (String.length w - i - 1))) in
      if Z.sign bottom <= 0 then fail "a denominator that is not positive"
      else { QArith_base.coq_Qnum = top; coq_Qden = bottom }
  | _ -> { QArith_base.coq_Qnum = whole part; coq_Qden = Z.one }

let flag = function
  | Word "true" -> true
  | Word "false" -> false
  | _ -> fail "neither true nor false"

let list read = function
  | Parts parts -> List.map read parts
  | Word w -> fail ("not a list: " ^ w)

let pair first second = function
  | Parts [ a; b ] -> (first a, second b)
  | _ -> fail "not a pair"

(* the types of the proofs *)
let direction = function
  | Word "Upward" -> OverRationals.Upward
  | Word "Downward" -> OverRationals.Downward
  | Word "Both" -> OverRationals.Both
  | _ -> fail "not a direction"

let cls = function
  | Parts [ Word "Cls"; likelihood; count; knowledge; prior; members ] ->
      { Views.lik = rational likelihood; cnt = natural count; know = rational knowledge;
        pri = rational prior; members = list flag members }
  | _ -> fail "not a class"

let view = list cls
let views = list view

let rec branches = function
  | Word "Over" -> KnownPrior.Over
  | Parts [ Word "Leaf"; s; t ] -> KnownPrior.Leaf (whole s, whole t)
  | Parts [ Word "Branch"; c; at; below; above ] ->
      KnownPrior.Branch (place c, whole at, branches below, branches above)
  | _ -> fail "not a branch tree"

let evidence = function
  | Parts [ Word "Evidence"; fq; sq; fr; sr; up; down ] ->
      { KnownPrior.fq = rational fq; sq = list whole sq; fr = rational fr; sr = list whole sr;
        up = branches up; down = branches down }
  | _ -> fail "not the evidence of a view"

let relation = function
  | Word "Ge" -> Family.Ge
  | Word "Gt" -> Family.Gt
  | Word "Eq" -> Family.Eq
  | _ -> fail "not a relation"

let con = function
  | Parts [ Word "Con"; terms; turn; rel; bound ] ->
      { Family.terms = list (pair rational place) terms; turn = rational turn;
        crel = relation rel; bound = rational bound }
  | _ -> fail "not a constraint"

let family = list con

let rec cases = function
  | Parts [ Word "Leaf"; multipliers ] -> Family.Leaf (list rational multipliers)
  | Parts [ Word "Split"; c; inside; outside ] ->
      Family.Split (place c, cases inside, cases outside)
  | _ -> fail "not a tree of cases"

let about = function
  | Word "None" -> None
  | Parts [ Word "Some"; i ] -> Some (place i)
  | _ -> fail "neither a property nor none"

let share = function
  | Parts [ Word "Share"; inside; mass_in; mass_out ] ->
      { Witness.inside = natural inside; mass_in = rational mass_in; mass_out = rational mass_out }
  | _ -> fail "not a share of a witness"

let shares = list share

let form = function
  | Parts [ Word "Form"; top; many ] -> { Regions.top = list whole top; many = natural many }
  | _ -> fail "not a class with a polynomial"

let forms = list (list form)

let rhos = function
  | Parts [ Word "Rhos"; a; b; c; d ] ->
      { Regions.ra = whole a; rb = whole b; rc = whole c; rd = whole d }
  | _ -> fail "not two thresholds"

let places = pair place place

let kind = function
  | Parts [ Word "Kind"; many; one; two ] ->
      { Pairs.many = natural many; one = rational one; two = rational two }
  | _ -> fail "not a kind of outputs"

let kinds = list kind

(* each checker with its arguments *)
let rec answer = function
  | Parts (Word "all" :: (_ :: _ as questions)) -> List.for_all answer questions
  | Parts (Word name :: arguments) -> (
      match name, arguments with
      | "check_all_priors", [ v; r1; r2 ] ->
          AllPriors.check_all_priors (views v) (rational r1) (rational r2)
      | "check_all_priors_for", [ d; i; v; r1; r2 ] ->
          AllPriors.check_all_priors_for (direction d) (place i) (views v) (rational r1)
            (rational r2)
      | "check_amplification", [ v; bound; strict ] ->
          AllPriors.check_amplification (views v) (rational bound) (flag strict)
      | "check_one_property", [ d; i; v; r1; r2 ] ->
          OneProperty.check_one_property (direction d) (place i) (views v) (rational r1)
            (rational r2)
      | "check_known_prior", [ d; v; e; r1; r2 ] ->
          KnownPrior.check_known_prior (direction d) (views v) (list evidence e) (rational r1)
            (rational r2)
      | "check_family", [ d; i; f; r1; r2; v; trees ] ->
          Family.check_family (direction d) (about i) (family f) (rational r1) (rational r2)
            (views v)
            (list (pair cases cases) trees)
      | "check_witness", [ d; r1; r2; v; s ] ->
          Witness.check_witness (direction d) (rational r1) (rational r2) (view v) (shares s)
      | "check_spread", [ v; s ] -> Witness.check_spread (view v) (shares s)
      | "check_ratio_broken", [ v; i; j; bound; strict ] ->
          Broken.check_ratio_broken (view v) (place i) (place j) (rational bound) (flag strict)
      | "check_admitted", [ f; v; s ] -> Broken.check_admitted (family f) (view v) (shares s)
      | "check_reports", [ v; ratio; n; r1; r2 ] ->
          Reports.check_reports (views v) (rational ratio) (place n) (rational r1) (rational r2)
      | "check_reports_ratio", [ v; ratio; n; bound; strict ] ->
          Reports.check_reports_ratio (views v) (rational ratio) (place n) (rational bound)
            (flag strict)
      | "check_safe", [ v; r; lo; hi; d; cuts; e ] ->
          Regions.check_safe (forms v) (rhos r) (flag lo) (flag hi) (whole d) (list whole cuts)
            (list (list places) e)
      | "check_broken", [ v; r; lo; hi; d; cuts; e ] ->
          Regions.check_broken (forms v) (rhos r) (flag lo) (flag hi) (whole d)
            (list whole cuts)
            (list (pair place places) e)
      | "check_bounded", [ v; a; b; n; strict; lo; hi; d; cuts; e ] ->
          Regions.check_bounded (forms v) (whole a) (whole b) (place n) (flag strict) (flag lo)
            (flag hi) (whole d) (list whole cuts)
            (list (list places) e)
      | "check_exp", [ n; d; a; b; scale ] ->
          Exponential.check_exp (whole n) (whole d) (whole a) (whole b) (whole scale)
      | "check_pairs", [ v; c; d; strict ] ->
          Pairs.check_pairs (list kinds v) (rational c) (rational d) (flag strict)
      | "check_pair_broken", [ v; c; d; strict ] ->
          Pairs.check_pair_broken (kinds v) (rational c) (rational d) (flag strict)
      | "check_pairs_exp", [ v; n; e; a; b; scale; d; strict ] ->
          PairsExp.check_pairs_exp (list kinds v) (whole n) (whole e) (whole a) (whole b)
            (whole scale) (rational d) (flag strict)
      | "check_pair_broken_exp", [ v; n; e; a; b; scale; d; strict ] ->
          PairsExp.check_pair_broken_exp (kinds v) (whole n) (whole e) (whole a) (whole b)
            (whole scale) (rational d) (flag strict)
      | "check_is", [ i; v; s ] -> Witness.check_is (place i) (view v) (shares s)
      | _ -> fail ("no such checker, or other arguments: " ^ name))
  | _ -> fail "not a question"

let () =
  try
    while true do
      let line = input_line stdin in
      print_endline
        (try string_of_bool (answer (parse line)) with
        | Unreadable why -> "unreadable: " ^ why
        | Stack_overflow -> "unreadable: nested too deep")
    done
  with End_of_file -> ()
