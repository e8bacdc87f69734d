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

class SpanishStemmer extends Machine {
  g_v = new Set("aeiouáéíóúü");
  I_p2 = 0;
  I_p1 = 0;
  I_pV = 0;

  r_mark_regions() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.I_pV = this.limit;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          if (!this.in_grouping(this.g_v)) {
            break lab1;
          }
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              if (!this.out_grouping(this.g_v)) {
                break lab2;
              }
              if (!this.go_out_grouping(this.g_v)) {
                break lab2;
              }
              this.cursor += 1;
              break;
            }
            this.cursor = $v_3;
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_in_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          break;
        }
        this.cursor = $v_2;
        if (!this.out_grouping(this.g_v)) {
          break lab0;
        }
        while (true) {
          $v_4 = this.cursor;
          lab1: {
            if (!this.out_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_out_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          this.cursor = $v_4;
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
          break;
        }
        break;
      }
      this.I_pV = this.cursor;
    }
    this.cursor = $v_1;
    $v_5 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_5;
    return true;
  }

  r_postlude() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_0);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("a");
        } else if ($among_var === 2) {
          this.slice_from("e");
        } else if ($among_var === 3) {
          this.slice_from("i");
        } else if ($among_var === 4) {
          this.slice_from("o");
        } else if ($among_var === 5) {
          this.slice_from("u");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_RV() {
    return this.I_pV <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_attached_pronoun() {
    let $among_var;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.bra = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    if (!this.r_RV()) {
      return false;
    }
    if ($among_var === 1) {
      this.bra = this.cursor;
      this.slice_from("iendo");
    } else if ($among_var === 2) {
      this.bra = this.cursor;
      this.slice_from("ando");
    } else if ($among_var === 3) {
      this.bra = this.cursor;
      this.slice_from("ar");
    } else if ($among_var === 4) {
      this.bra = this.cursor;
      this.slice_from("er");
    } else if ($among_var === 5) {
      this.bra = this.cursor;
      this.slice_from("ir");
    } else if ($among_var === 6) {
      this.slice_del();
    } else {
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
        return false;
      }
      this.cursor -= 1;
      this.slice_del();
    }
    return true;
  }

  r_standard_suffix() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_6);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_1 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (!this.eq_s_b("ic")) {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.slice_del();
      }
    } else if ($among_var === 3) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("log");
    } else if ($among_var === 4) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("u");
    } else if ($among_var === 5) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("ente");
    } else if ($among_var === 6) {
      if (this.I_p1 > this.cursor) {
        return false;
      }
      this.slice_del();
      $v_2 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        $among_var = this.find_among_b(this.a_3);
        if ($among_var === 0) {
          this.cursor = this.limit - $v_2;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_2;
          break lab0;
        }
        this.slice_del();
        if ($among_var === 1) {
          this.ket = this.cursor;
          if (!this.eq_s_b("at")) {
            this.cursor = this.limit - $v_2;
            break lab0;
          }
          this.bra = this.cursor;
          if (!this.r_R2()) {
            this.cursor = this.limit - $v_2;
            break lab0;
          }
          this.slice_del();
        }
      }
    } else if ($among_var === 7) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_3 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (this.find_among_b(this.a_4) === 0) {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.slice_del();
      }
    } else if ($among_var === 8) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_4 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (this.find_among_b(this.a_5) === 0) {
          this.cursor = this.limit - $v_4;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_4;
          break lab0;
        }
        this.slice_del();
      }
    } else {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_5 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (!this.eq_s_b("at")) {
          this.cursor = this.limit - $v_5;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_5;
          break lab0;
        }
        this.slice_del();
      }
    }
    return true;
  }

  r_y_verb_suffix() {
    let $v_2;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_pV;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_7) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
      return false;
    }
    this.cursor -= 1;
    this.slice_del();
    return true;
  }

  r_verb_suffix() {
    let $among_var, $v_2, $v_3, $v_4;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_pV;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      $v_3 = this.limit - this.cursor;
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.cursor -= 1;
        $v_4 = this.limit - this.cursor;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "g") {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.cursor -= 1;
        this.cursor = this.limit - $v_4;
      }
      this.bra = this.cursor;
      this.slice_del();
    } else {
      this.slice_del();
    }
    return true;
  }

  r_residual_suffix() {
    let $among_var, $v_1, $v_2;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_9);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_RV()) {
        return false;
      }
      this.slice_del();
    } else {
      if (!this.r_RV()) {
        return false;
      }
      this.slice_del();
      $v_1 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.cursor -= 1;
        this.bra = this.cursor;
        $v_2 = this.limit - this.cursor;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "g") {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.cursor -= 1;
        this.cursor = this.limit - $v_2;
        if (!this.r_RV()) {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.slice_del();
      }
    }
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_1 = this.limit - this.cursor;
    this.r_attached_pronoun();
    this.cursor = this.limit - $v_1;
    $v_2 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_3 = this.limit - this.cursor;
        lab1: {
          if (!this.r_standard_suffix()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        lab1: {
          if (!this.r_y_verb_suffix()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        if (!this.r_verb_suffix()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_2;
    $v_4 = this.limit - this.cursor;
    this.r_residual_suffix();
    this.cursor = this.limit - $v_4;
    this.cursor = this.limit_backward;
    $v_5 = this.cursor;
    this.r_postlude();
    this.cursor = $v_5;
    return true;
  }
  a_0 = table(
    ["", -1, 6],
    ["á", 0, 1],
    ["é", 0, 2],
    ["í", 0, 3],
    ["ó", 0, 4],
    ["ú", 0, 5],
  );
  a_1 = table(
    ["la", -1, -1],
    ["sela", 0, -1],
    ["le", -1, -1],
    ["me", -1, -1],
    ["se", -1, -1],
    ["lo", -1, -1],
    ["selo", 5, -1],
    ["las", -1, -1],
    ["selas", 7, -1],
    ["les", -1, -1],
    ["los", -1, -1],
    ["selos", 10, -1],
    ["nos", -1, -1],
  );
  a_2 = table(
    ["ando", -1, 6],
    ["iendo", -1, 6],
    ["yendo", -1, 7],
    ["ándo", -1, 2],
    ["iéndo", -1, 1],
    ["ar", -1, 6],
    ["er", -1, 6],
    ["ir", -1, 6],
    ["ár", -1, 3],
    ["ér", -1, 4],
    ["ír", -1, 5],
  );
  a_3 = table(
    ["ic", -1, -1],
    ["ad", -1, -1],
    ["os", -1, -1],
    ["iv", -1, 1],
  );
  a_4 = table(
    ["able", -1, 1],
    ["ible", -1, 1],
    ["ante", -1, 1],
  );
  a_5 = table(
    ["ic", -1, 1],
    ["abil", -1, 1],
    ["iv", -1, 1],
  );
  a_6 = table(
    ["ica", -1, 1],
    ["ancia", -1, 2],
    ["encia", -1, 5],
    ["adora", -1, 2],
    ["osa", -1, 1],
    ["ista", -1, 1],
    ["iva", -1, 9],
    ["anza", -1, 1],
    ["logía", -1, 3],
    ["idad", -1, 8],
    ["able", -1, 1],
    ["ible", -1, 1],
    ["ante", -1, 2],
    ["mente", -1, 7],
    ["amente", 13, 6],
    ["acion", -1, 2],
    ["ucion", -1, 4],
    ["ación", -1, 2],
    ["ución", -1, 4],
    ["ico", -1, 1],
    ["ismo", -1, 1],
    ["oso", -1, 1],
    ["amiento", -1, 1],
    ["imiento", -1, 1],
    ["ivo", -1, 9],
    ["ador", -1, 2],
    ["icas", -1, 1],
    ["ancias", -1, 2],
    ["encias", -1, 5],
    ["adoras", -1, 2],
    ["osas", -1, 1],
    ["istas", -1, 1],
    ["ivas", -1, 9],
    ["anzas", -1, 1],
    ["logías", -1, 3],
    ["idades", -1, 8],
    ["ables", -1, 1],
    ["ibles", -1, 1],
    ["aciones", -1, 2],
    ["uciones", -1, 4],
    ["adores", -1, 2],
    ["antes", -1, 2],
    ["icos", -1, 1],
    ["ismos", -1, 1],
    ["osos", -1, 1],
    ["amientos", -1, 1],
    ["imientos", -1, 1],
    ["ivos", -1, 9],
  );
  a_7 = table(
    ["ya", -1, 1],
    ["ye", -1, 1],
    ["yan", -1, 1],
    ["yen", -1, 1],
    ["yeron", -1, 1],
    ["yendo", -1, 1],
    ["yo", -1, 1],
    ["yas", -1, 1],
    ["yes", -1, 1],
    ["yais", -1, 1],
    ["yamos", -1, 1],
    ["yó", -1, 1],
  );
  a_8 = table(
    ["aba", -1, 2],
    ["ada", -1, 2],
    ["ida", -1, 2],
    ["ara", -1, 2],
    ["iera", -1, 2],
    ["ía", -1, 2],
    ["aría", 5, 2],
    ["ería", 5, 2],
    ["iría", 5, 2],
    ["ad", -1, 2],
    ["ed", -1, 2],
    ["id", -1, 2],
    ["ase", -1, 2],
    ["iese", -1, 2],
    ["aste", -1, 2],
    ["iste", -1, 2],
    ["an", -1, 2],
    ["aban", 16, 2],
    ["aran", 16, 2],
    ["ieran", 16, 2],
    ["ían", 16, 2],
    ["arían", 20, 2],
    ["erían", 20, 2],
    ["irían", 20, 2],
    ["en", -1, 1],
    ["asen", 24, 2],
    ["iesen", 24, 2],
    ["aron", -1, 2],
    ["ieron", -1, 2],
    ["arán", -1, 2],
    ["erán", -1, 2],
    ["irán", -1, 2],
    ["ado", -1, 2],
    ["ido", -1, 2],
    ["ando", -1, 2],
    ["iendo", -1, 2],
    ["ar", -1, 2],
    ["er", -1, 2],
    ["ir", -1, 2],
    ["as", -1, 2],
    ["abas", 39, 2],
    ["adas", 39, 2],
    ["idas", 39, 2],
    ["aras", 39, 2],
    ["ieras", 39, 2],
    ["ías", 39, 2],
    ["arías", 45, 2],
    ["erías", 45, 2],
    ["irías", 45, 2],
    ["es", -1, 1],
    ["ases", 49, 2],
    ["ieses", 49, 2],
    ["abais", -1, 2],
    ["arais", -1, 2],
    ["ierais", -1, 2],
    ["íais", -1, 2],
    ["aríais", 55, 2],
    ["eríais", 55, 2],
    ["iríais", 55, 2],
    ["aseis", -1, 2],
    ["ieseis", -1, 2],
    ["asteis", -1, 2],
    ["isteis", -1, 2],
    ["áis", -1, 2],
    ["éis", -1, 1],
    ["aréis", 64, 2],
    ["eréis", 64, 2],
    ["iréis", 64, 2],
    ["ados", -1, 2],
    ["idos", -1, 2],
    ["amos", -1, 2],
    ["ábamos", 70, 2],
    ["áramos", 70, 2],
    ["iéramos", 70, 2],
    ["íamos", 70, 2],
    ["aríamos", 74, 2],
    ["eríamos", 74, 2],
    ["iríamos", 74, 2],
    ["emos", -1, 1],
    ["aremos", 78, 2],
    ["eremos", 78, 2],
    ["iremos", 78, 2],
    ["ásemos", 78, 2],
    ["iésemos", 78, 2],
    ["imos", -1, 2],
    ["arás", -1, 2],
    ["erás", -1, 2],
    ["irás", -1, 2],
    ["ís", -1, 2],
    ["ará", -1, 2],
    ["erá", -1, 2],
    ["irá", -1, 2],
    ["aré", -1, 2],
    ["eré", -1, 2],
    ["iré", -1, 2],
    ["ió", -1, 2],
  );
  a_9 = table(
    ["a", -1, 1],
    ["e", -1, 2],
    ["o", -1, 1],
    ["os", -1, 1],
    ["á", -1, 1],
    ["é", -1, 2],
    ["í", -1, 1],
    ["ó", -1, 1],
  );
}

const program = new SpanishStemmer();

/** ISO 639-1 code. */
export const language = "es";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
