// The page's own sentences in the person's language. Knows no sentence and no language.

let words = {};

// json: the table of a language, as src/language/ has it. English needs none. False when it is something else.
export function setWords(json) {
  try {
    words = JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

// As tr() of src/core/language.h, without forms of words.
export const tr = (english, ...fillings) => (words[english] ?? english).replace(/\{(\d)\}/g, (_, at) => fillings[at]);
