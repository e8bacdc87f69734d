/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class ArabicStemmer extends Machine {
  B_is_defined = false;
  B_is_verb = false;
  B_is_noun = false;

  r_Normalize_pre() {
    let $among_var, $v_1, $v_2, $v_3;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              $among_var = this.find_among(this.a_0);
              if ($among_var === 0) {
                break lab2;
              }
              this.ket = this.cursor;
              this.slice_from(this.as_0[$among_var - 1]);
              break;
            }
            this.cursor = $v_3;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          continue;
        }
        this.cursor = $v_2;
        break;
      }
    }
    this.cursor = $v_1;
    return true;
  }

  r_Normalize_post() {
    let $among_var, $v_1, $v_2, $v_3, $v_4;
    $v_1 = this.cursor;
    lab0: {
      this.limit_backward = this.cursor;
      this.cursor = this.limit;
      this.ket = this.cursor;
      if (this.find_among_b(this.a_1) === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      this.slice_from("ء");
      this.cursor = this.limit_backward;
    }
    this.cursor = $v_1;
    $v_2 = this.cursor;
    lab0: {
      while (true) {
        $v_3 = this.cursor;
        lab1: {
          while (true) {
            $v_4 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              $among_var = this.find_among(this.a_2);
              if ($among_var === 0) {
                break lab2;
              }
              this.ket = this.cursor;
              this.slice_from(this.as_2[$among_var - 1]);
              break;
            }
            this.cursor = $v_4;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          continue;
        }
        this.cursor = $v_3;
        break;
      }
    }
    this.cursor = $v_2;
    return true;
  }

  r_Checks1() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      if (this.current.length <= 4) {
        return false;
      }
      this.B_is_noun = true;
      this.B_is_verb = false;
      this.B_is_defined = true;
    } else {
      if (this.current.length <= 3) {
        return false;
      }
      this.B_is_noun = true;
      this.B_is_verb = false;
      this.B_is_defined = true;
    }
    return true;
  }

  r_Prefix_Step1() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("أ");
    } else if ($among_var === 2) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("آ");
    } else if ($among_var === 3) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("ا");
    } else {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("إ");
    }
    return true;
  }

  r_Prefix_Step2() {
    this.bra = this.cursor;
    if (this.find_among(this.a_5) === 0) {
      return false;
    }
    this.ket = this.cursor;
    if (this.current.length <= 3) {
      return false;
    }
    lab0: {
      if (this.cursor === this.limit || this.current[this.cursor] !== "ا") {
        break lab0;
      }
      this.cursor += 1;
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Prefix_Step3a_Noun() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_6);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      if (this.current.length <= 5) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.current.length <= 4) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_Prefix_Step3b_Noun() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_7);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("ب");
    } else if ($among_var === 3) {
      if (this.current.length <= 3) {
        return false;
      }
      this.slice_from("ك");
    }
    return true;
  }

  r_Prefix_Step3_Verb() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_8);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      if (this.current.length <= 4) {
        return false;
      }
      this.slice_from("ي");
    } else if ($among_var === 2) {
      if (this.current.length <= 4) {
        return false;
      }
      this.slice_from("ت");
    } else if ($among_var === 3) {
      if (this.current.length <= 4) {
        return false;
      }
      this.slice_from("ن");
    } else {
      if (this.current.length <= 4) {
        return false;
      }
      this.slice_from("أ");
    }
    return true;
  }

  r_Prefix_Step4_Verb() {
    this.bra = this.cursor;
    if (this.find_among(this.a_9) === 0) {
      return false;
    }
    this.ket = this.cursor;
    if (this.current.length <= 4) {
      return false;
    }
    this.B_is_verb = true;
    this.B_is_noun = false;
    this.slice_from("است");
    return true;
  }

  r_Suffix_Noun_Step1a() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_10);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (this.current.length < 4) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.current.length < 5) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.current.length < 6) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_Suffix_Noun_Step1b() {
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ن") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    if (this.current.length <= 5) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Noun_Step2a() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_11) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.current.length <= 4) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Noun_Step2b() {
    this.ket = this.cursor;
    if (!this.eq_s_b("ات")) {
      return false;
    }
    this.bra = this.cursor;
    if (this.current.length < 5) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Noun_Step2c1() {
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ت") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    if (this.current.length < 4) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Noun_Step2c2() {
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ة") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    if (this.current.length < 4) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Noun_Step3() {
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ي") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    if (this.current.length < 3) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Verb_Step1() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_12);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (this.current.length < 4) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.current.length < 5) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.current.length < 6) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_Suffix_Verb_Step2a() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_13);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (this.current.length < 4) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.current.length < 5) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 3) {
      if (this.current.length <= 5) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.current.length < 6) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_Suffix_Verb_Step2b() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_14) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.current.length < 5) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_Suffix_Verb_Step2c() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_15);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (this.current.length < 4) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.current.length < 6) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_Suffix_All_alef_maqsura() {
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ى") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_from("ي");
    return true;
  }

  _stem() {
    let $v_1, $v_10, $v_11, $v_12, $v_13, $v_14, $v_15, $v_16, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    this.B_is_noun = true;
    this.B_is_verb = true;
    this.B_is_defined = false;
    $v_1 = this.cursor;
    this.r_Checks1();
    this.cursor = $v_1;
    this.r_Normalize_pre();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_3 = this.limit - this.cursor;
        lab1: {
          if (!this.B_is_verb) {
            break lab1;
          }
          while (true) {
            $v_4 = this.limit - this.cursor;
            lab2: {
              $v_5 = 1;
              while (true) {
                $v_6 = this.limit - this.cursor;
                lab3: {
                  if (!this.r_Suffix_Verb_Step1()) {
                    break lab3;
                  }
                  $v_5 -= 1;
                  continue;
                }
                this.cursor = this.limit - $v_6;
                break;
              }
              if ($v_5 > 0) {
                break lab2;
              }
              while (true) {
                $v_7 = this.limit - this.cursor;
                lab3: {
                  if (!this.r_Suffix_Verb_Step2a()) {
                    break lab3;
                  }
                  break;
                }
                this.cursor = this.limit - $v_7;
                lab3: {
                  if (!this.r_Suffix_Verb_Step2c()) {
                    break lab3;
                  }
                  break;
                }
                this.cursor = this.limit - $v_7;
                if (this.cursor <= this.limit_backward) {
                  break lab2;
                }
                this.cursor -= 1;
                break;
              }
              break;
            }
            this.cursor = this.limit - $v_4;
            lab2: {
              if (!this.r_Suffix_Verb_Step2b()) {
                break lab2;
              }
              break;
            }
            this.cursor = this.limit - $v_4;
            if (!this.r_Suffix_Verb_Step2a()) {
              break lab1;
            }
            break;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        lab1: {
          if (!this.B_is_noun) {
            break lab1;
          }
          $v_8 = this.limit - this.cursor;
          lab2: {
            while (true) {
              $v_9 = this.limit - this.cursor;
              lab3: {
                if (!this.r_Suffix_Noun_Step2c2()) {
                  break lab3;
                }
                break;
              }
              this.cursor = this.limit - $v_9;
              lab3: {
                if (this.B_is_defined) {
                  break lab3;
                }
                if (!this.r_Suffix_Noun_Step1a()) {
                  break lab3;
                }
                while (true) {
                  $v_10 = this.limit - this.cursor;
                  lab4: {
                    if (!this.r_Suffix_Noun_Step2a()) {
                      break lab4;
                    }
                    break;
                  }
                  this.cursor = this.limit - $v_10;
                  lab4: {
                    if (!this.r_Suffix_Noun_Step2b()) {
                      break lab4;
                    }
                    break;
                  }
                  this.cursor = this.limit - $v_10;
                  lab4: {
                    if (!this.r_Suffix_Noun_Step2c1()) {
                      break lab4;
                    }
                    break;
                  }
                  this.cursor = this.limit - $v_10;
                  if (this.cursor <= this.limit_backward) {
                    break lab3;
                  }
                  this.cursor -= 1;
                  break;
                }
                break;
              }
              this.cursor = this.limit - $v_9;
              lab3: {
                if (!this.r_Suffix_Noun_Step1b()) {
                  break lab3;
                }
                while (true) {
                  $v_11 = this.limit - this.cursor;
                  lab4: {
                    if (!this.r_Suffix_Noun_Step2a()) {
                      break lab4;
                    }
                    break;
                  }
                  this.cursor = this.limit - $v_11;
                  lab4: {
                    if (!this.r_Suffix_Noun_Step2b()) {
                      break lab4;
                    }
                    break;
                  }
                  this.cursor = this.limit - $v_11;
                  if (!this.r_Suffix_Noun_Step2c1()) {
                    break lab3;
                  }
                  break;
                }
                break;
              }
              this.cursor = this.limit - $v_9;
              lab3: {
                if (this.B_is_defined) {
                  break lab3;
                }
                if (!this.r_Suffix_Noun_Step2a()) {
                  break lab3;
                }
                break;
              }
              this.cursor = this.limit - $v_9;
              if (!this.r_Suffix_Noun_Step2b()) {
                this.cursor = this.limit - $v_8;
                break lab2;
              }
              break;
            }
          }
          if (!this.r_Suffix_Noun_Step3()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        if (!this.r_Suffix_All_alef_maqsura()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_2;
    this.cursor = this.limit_backward;
    $v_12 = this.cursor;
    lab0: {
      $v_13 = this.cursor;
      lab1: {
        if (!this.r_Prefix_Step1()) {
          this.cursor = $v_13;
          break lab1;
        }
      }
      $v_14 = this.cursor;
      lab1: {
        if (!this.r_Prefix_Step2()) {
          this.cursor = $v_14;
          break lab1;
        }
      }
      while (true) {
        $v_15 = this.cursor;
        lab1: {
          if (!this.r_Prefix_Step3a_Noun()) {
            break lab1;
          }
          break;
        }
        this.cursor = $v_15;
        lab1: {
          if (!this.B_is_noun) {
            break lab1;
          }
          if (!this.r_Prefix_Step3b_Noun()) {
            break lab1;
          }
          break;
        }
        this.cursor = $v_15;
        if (!this.B_is_verb) {
          break lab0;
        }
        $v_16 = this.cursor;
        lab1: {
          if (!this.r_Prefix_Step3_Verb()) {
            this.cursor = $v_16;
            break lab1;
          }
        }
        if (!this.r_Prefix_Step4_Verb()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = $v_12;
    this.r_Normalize_post();
    return true;
  }
  a_0 = table(
    ["ـ", -1, 1],
    ["ً", -1, 1],
    ["ٌ", -1, 1],
    ["ٍ", -1, 1],
    ["َ", -1, 1],
    ["ُ", -1, 1],
    ["ِ", -1, 1],
    ["ّ", -1, 1],
    ["ْ", -1, 1],
    ["٠", -1, 2],
    ["١", -1, 3],
    ["٢", -1, 4],
    ["٣", -1, 5],
    ["٤", -1, 6],
    ["٥", -1, 7],
    ["٦", -1, 8],
    ["٧", -1, 9],
    ["٨", -1, 10],
    ["٩", -1, 11],
    ["ﺀ", -1, 12],
    ["ﺁ", -1, 16],
    ["ﺂ", -1, 16],
    ["ﺃ", -1, 13],
    ["ﺄ", -1, 13],
    ["ﺅ", -1, 17],
    ["ﺆ", -1, 17],
    ["ﺇ", -1, 14],
    ["ﺈ", -1, 14],
    ["ﺉ", -1, 15],
    ["ﺊ", -1, 15],
    ["ﺋ", -1, 15],
    ["ﺌ", -1, 15],
    ["ﺍ", -1, 18],
    ["ﺎ", -1, 18],
    ["ﺏ", -1, 19],
    ["ﺐ", -1, 19],
    ["ﺑ", -1, 19],
    ["ﺒ", -1, 19],
    ["ﺓ", -1, 20],
    ["ﺔ", -1, 20],
    ["ﺕ", -1, 21],
    ["ﺖ", -1, 21],
    ["ﺗ", -1, 21],
    ["ﺘ", -1, 21],
    ["ﺙ", -1, 22],
    ["ﺚ", -1, 22],
    ["ﺛ", -1, 22],
    ["ﺜ", -1, 22],
    ["ﺝ", -1, 23],
    ["ﺞ", -1, 23],
    ["ﺟ", -1, 23],
    ["ﺠ", -1, 23],
    ["ﺡ", -1, 24],
    ["ﺢ", -1, 24],
    ["ﺣ", -1, 24],
    ["ﺤ", -1, 24],
    ["ﺥ", -1, 25],
    ["ﺦ", -1, 25],
    ["ﺧ", -1, 25],
    ["ﺨ", -1, 25],
    ["ﺩ", -1, 26],
    ["ﺪ", -1, 26],
    ["ﺫ", -1, 27],
    ["ﺬ", -1, 27],
    ["ﺭ", -1, 28],
    ["ﺮ", -1, 28],
    ["ﺯ", -1, 29],
    ["ﺰ", -1, 29],
    ["ﺱ", -1, 30],
    ["ﺲ", -1, 30],
    ["ﺳ", -1, 30],
    ["ﺴ", -1, 30],
    ["ﺵ", -1, 31],
    ["ﺶ", -1, 31],
    ["ﺷ", -1, 31],
    ["ﺸ", -1, 31],
    ["ﺹ", -1, 32],
    ["ﺺ", -1, 32],
    ["ﺻ", -1, 32],
    ["ﺼ", -1, 32],
    ["ﺽ", -1, 33],
    ["ﺾ", -1, 33],
    ["ﺿ", -1, 33],
    ["ﻀ", -1, 33],
    ["ﻁ", -1, 34],
    ["ﻂ", -1, 34],
    ["ﻃ", -1, 34],
    ["ﻄ", -1, 34],
    ["ﻅ", -1, 35],
    ["ﻆ", -1, 35],
    ["ﻇ", -1, 35],
    ["ﻈ", -1, 35],
    ["ﻉ", -1, 36],
    ["ﻊ", -1, 36],
    ["ﻋ", -1, 36],
    ["ﻌ", -1, 36],
    ["ﻍ", -1, 37],
    ["ﻎ", -1, 37],
    ["ﻏ", -1, 37],
    ["ﻐ", -1, 37],
    ["ﻑ", -1, 38],
    ["ﻒ", -1, 38],
    ["ﻓ", -1, 38],
    ["ﻔ", -1, 38],
    ["ﻕ", -1, 39],
    ["ﻖ", -1, 39],
    ["ﻗ", -1, 39],
    ["ﻘ", -1, 39],
    ["ﻙ", -1, 40],
    ["ﻚ", -1, 40],
    ["ﻛ", -1, 40],
    ["ﻜ", -1, 40],
    ["ﻝ", -1, 41],
    ["ﻞ", -1, 41],
    ["ﻟ", -1, 41],
    ["ﻠ", -1, 41],
    ["ﻡ", -1, 42],
    ["ﻢ", -1, 42],
    ["ﻣ", -1, 42],
    ["ﻤ", -1, 42],
    ["ﻥ", -1, 43],
    ["ﻦ", -1, 43],
    ["ﻧ", -1, 43],
    ["ﻨ", -1, 43],
    ["ﻩ", -1, 44],
    ["ﻪ", -1, 44],
    ["ﻫ", -1, 44],
    ["ﻬ", -1, 44],
    ["ﻭ", -1, 45],
    ["ﻮ", -1, 45],
    ["ﻯ", -1, 46],
    ["ﻰ", -1, 46],
    ["ﻱ", -1, 47],
    ["ﻲ", -1, 47],
    ["ﻳ", -1, 47],
    ["ﻴ", -1, 47],
    ["ﻵ", -1, 51],
    ["ﻶ", -1, 51],
    ["ﻷ", -1, 49],
    ["ﻸ", -1, 49],
    ["ﻹ", -1, 50],
    ["ﻺ", -1, 50],
    ["ﻻ", -1, 48],
    ["ﻼ", -1, 48],
  );
  as_0 = ["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "ء", "أ", "إ", "ئ", "آ", "ؤ", "ا", "ب", "ة", "ت", "ث", "ج", "ح", "خ", "د", "ذ", "ر", "ز", "س", "ش", "ص", "ض", "ط", "ظ", "ع", "غ", "ف", "ق", "ك", "ل", "م", "ن", "ه", "و", "ى", "ي", "لا", "لأ", "لإ", "لآ"];
  a_1 = table(
    ["آ", -1, 1],
    ["أ", -1, 1],
    ["ؤ", -1, 1],
    ["إ", -1, 1],
    ["ئ", -1, 1],
  );
  a_2 = table(
    ["آ", -1, 1],
    ["أ", -1, 1],
    ["ؤ", -1, 2],
    ["إ", -1, 1],
    ["ئ", -1, 3],
  );
  as_2 = ["ا", "و", "ي"];
  a_3 = table(
    ["ال", -1, 2],
    ["بال", -1, 1],
    ["كال", -1, 1],
    ["لل", -1, 2],
  );
  a_4 = table(
    ["أآ", -1, 2],
    ["أأ", -1, 1],
    ["أؤ", -1, 1],
    ["أإ", -1, 4],
    ["أا", -1, 3],
  );
  a_5 = table(
    ["ف", -1, 1],
    ["و", -1, 1],
  );
  a_6 = table(
    ["ال", -1, 2],
    ["بال", -1, 1],
    ["كال", -1, 1],
    ["لل", -1, 2],
  );
  a_7 = table(
    ["ب", -1, 1],
    ["با", 0, -1],
    ["بب", 0, 2],
    ["كك", -1, 3],
  );
  a_8 = table(
    ["سأ", -1, 4],
    ["ست", -1, 2],
    ["سن", -1, 3],
    ["سي", -1, 1],
  );
  a_9 = table(
    ["تست", -1, 1],
    ["نست", -1, 1],
    ["يست", -1, 1],
  );
  a_10 = table(
    ["كما", -1, 3],
    ["هما", -1, 3],
    ["نا", -1, 2],
    ["ها", -1, 2],
    ["ك", -1, 1],
    ["كم", -1, 2],
    ["هم", -1, 2],
    ["هن", -1, 2],
    ["ه", -1, 1],
    ["ي", -1, 1],
  );
  a_11 = table(
    ["ا", -1, 1],
    ["و", -1, 1],
    ["ي", -1, 1],
  );
  a_12 = table(
    ["كما", -1, 3],
    ["هما", -1, 3],
    ["نا", -1, 2],
    ["ها", -1, 2],
    ["ك", -1, 1],
    ["كم", -1, 2],
    ["هم", -1, 2],
    ["كن", -1, 2],
    ["هن", -1, 2],
    ["ه", -1, 1],
    ["كمو", -1, 3],
    ["ني", -1, 2],
  );
  a_13 = table(
    ["ا", -1, 1],
    ["تا", 0, 2],
    ["تما", 0, 4],
    ["نا", 0, 2],
    ["ت", -1, 1],
    ["ن", -1, 1],
    ["ان", 5, 3],
    ["تن", 5, 2],
    ["ون", 5, 3],
    ["ين", 5, 3],
    ["ي", -1, 1],
  );
  a_14 = table(
    ["وا", -1, 1],
    ["تم", -1, 1],
  );
  a_15 = table(
    ["و", -1, 1],
    ["تمو", 0, 2],
  );
}

const program = new ArabicStemmer();

/** ISO 639-1 code. */
export const language = "ar";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
